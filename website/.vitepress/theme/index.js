import DefaultTheme from 'vitepress/theme'
import Diagram from './diagram.vue'
import './tables.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Diagram', Diagram)
  },
}
