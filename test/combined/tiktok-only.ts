import { TikTok } from '../../src/providers.ts'
import { createVestibule } from '../../src/vestibule.ts'

/* A deployment with one provider. e2e/bundle.test.ts checks what its bundle contains. */

export const { worker, objects } = createVestibule({ providers: [TikTok] })
