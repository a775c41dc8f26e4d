export { saveState, signIn, type TestPage } from './testing/sign-in.ts'
export {
  type LoginOptions,
  type RunningLogin,
  startLogin,
  type TestApi,
  type TestClient,
  type TestUser,
} from './testing/start-login.ts'
export { createTestIssuer, type TestIssuer, type TestToken } from './testing/test-issuer.ts'
