export { saveState, signIn, type TestPage } from './libraries/testing/sign-in.ts'
export {
  type LoginOptions,
  type RunningLogin,
  startLogin,
  type TestApi,
  type TestClient,
  type TestUser,
} from './libraries/testing/start-login.ts'
export {
  createTestIssuer,
  type TestIssuer,
  type TestToken,
} from './libraries/testing/test-issuer.ts'
