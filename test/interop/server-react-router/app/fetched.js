export const loader = () => fetch(`${process.env.API_URL}/public`)
