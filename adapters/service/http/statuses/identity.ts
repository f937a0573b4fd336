/** What the flows of identity refuse with, and its status (openapi/responses.yaml). */
export const identityStatuses = {
  Conflict: 409,
  DeviceKeyIsSet: 409,
  InvalidCredential: 400,
  InvalidPassword: 401,
  InvalidSessionKeys: 400,
  InvalidVerificationCode: 400,
  LinkExpired: 410,
  LocationHintsNeedIdentity: 400,
  LoginKeyInUse: 409,
  LoginKeyMismatch: 409,
  OpenerNotProven: 403,
  OtherAccount: 409,
  PhoneNotOffered: 400,
  UnknownPasskey: 401,
  UserAlreadyExists: 409,
} as const
