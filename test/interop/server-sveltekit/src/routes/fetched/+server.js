export const GET = () => fetch(`${process.env.API_URL}/public`)
