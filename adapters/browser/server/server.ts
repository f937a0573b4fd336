/** For the app's own server: who is signed in at its page, and what the service tells it. WebCrypto and fetch are enough. */
export {
  KeysUnavailable,
  TokenRefused,
  verifyToken,
  type KeySet,
  type TokenOptions,
  type VerifiedToken,
} from './verifyToken.ts'
export { verifyWebhook, WebhookRefused, type ReceivedRequest, type WebhookEvent } from './verifyWebhook.ts'
