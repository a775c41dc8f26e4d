/**
 * When a step is asked of users whose session counts: an authorization request, or a request of an
 * administrator to the console or its API.
 */
export type StepOccasion = 'app' | 'administration'
