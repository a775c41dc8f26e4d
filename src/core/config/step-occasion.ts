/**
 * When a step is asked of users whose session counts: a request of an app for a code or a
 * session token, or a request of an administrator to the console or its API.
 */
export type StepOccasion = 'app' | 'administration'
