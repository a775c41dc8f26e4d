export const load = ({ locals }) => ({ name: locals.auth.session?.user.name })
