import { createApp, h } from 'vue'
import { useSession } from './use-session.ts'

const App = {
  setup() {
    const state = useSession()
    return () => h('p', `${state.value.status} ${state.value.session?.user.name}`)
  },
}

createApp(App).mount('#root')
