import { ok } from 'node:assert/strict'
import { get } from 'svelte/store'
import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { session } from './session.ts'
import { useSession } from './use-session.ts'

/** Renders the documented code as SvelteKit and Nuxt do. This process must end by itself. */

const App = {
  setup() {
    const state = useSession()
    return () => h('p', state.value.status)
  },
}

for (let round = 0; round < 3; round++) {
  ok((await renderToString(createSSRApp(App))) === '<p>loading</p>')
  ok(get(session).status === 'loading')
  await new Promise((resolve) => setTimeout(resolve, 300))
}
