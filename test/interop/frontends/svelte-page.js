import { session } from './session.ts'

session.subscribe((state) => {
  document.getElementById('root').textContent = `${state.status} ${state.session?.user.name}`
})
