import { createVideoPlatform } from './app.ts'

export default createVideoPlatform()
