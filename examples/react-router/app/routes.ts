import { index, layout, route } from '@react-router/dev/routes'

export default [
  route('auth/:action', 'auth.ts'),
  layout('session.ts', [index('home.tsx'), route('orders', 'orders.ts')]),
]
