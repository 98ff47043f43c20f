/**
 * Every answer carries one of these. Numbers of the specification are kept (20000, 40001, 40004, 40008, 41003); ours
 * are grouped by their first three digits: 400 caller, 403 permission, 404 missing, 409 conflict, 429 limits, 500 ours.
 * Codes above 50003 make a client reject with the raw body, so there are none.
 */
export const CODES = {
  Ok: { code: 20000, http: 200 },
  /** The text is not JSON, or not of the call's shape. */
  BadInput: { code: 40000, http: 400 },
  /** No login, or one that has ended: the console signs in again. */
  LoginRequired: { code: 40001, http: 401 },
  BadSignature: { code: 40002, http: 400 },
  /** The timestamp is too old or too new, or the nonce was seen before. */
  StaleRequest: { code: 40003, http: 400 },
  /** The query connection is gone; a client sends its last query again, three times at most. */
  ConnectionLost: { code: 40004, http: 409 },
  WrongMethod: { code: 40005, http: 405 },
  TooLarge: { code: 40006, http: 413 },
  LoginFailed: { code: 40007, http: 401 },
  /** The user stopped it, so no message is needed. */
  Cancelled: { code: 40008, http: 409 },
  EmailDiffers: { code: 40009, http: 400 },
  SignUpTokenInvalid: { code: 40010, http: 400 },
  SignUpTokenExpired: { code: 40011, http: 400 },
  NotBusinessEmail: { code: 40012, http: 400 },
  NoPermission: { code: 40300, http: 403 },
  AccountFrozen: { code: 40301, http: 403 },
  NotInTrial: { code: 40302, http: 403 },
  UnknownCall: { code: 40400, http: 404 },
  NotFound: { code: 40401, http: 404 },
  /** It was there, and is no longer kept. */
  ResultExpired: { code: 40402, http: 410 },
  /** A mailed link that is unknown, was used, or has expired; the message says which. */
  LinkUnusable: { code: 40403, http: 410 },
  Conflict: { code: 40900, http: 409 },
  NameTaken: { code: 40901, http: 409 },
  /** It can be read and copied, and never changed. */
  ReadOnly: { code: 40902, http: 409 },
  IpBlocked: { code: 41003, http: 403 },
  LimitReached: { code: 42900, http: 429 },
  /** 'Reach limit of connections'. */
  ConnectionLimit: { code: 42901, http: 429 },
  TooManyAttempts: { code: 42902, http: 429 },
  /** The warehouse's queue is full. */
  WarehouseFull: { code: 42903, http: 429 },
  QuotaExceeded: { code: 42904, http: 429 },
  /** The statement was refused or failed in the engine; the message is the engine's. */
  QueryFailed: { code: 42200, http: 422 },
  /** The warehouse is suspended and does not resume automatically, or not for this user. */
  NoRunningWarehouse: { code: 42201, http: 422 },
  /** The issuer of single sign-on did not answer, or not as it should. */
  SsoFailed: { code: 42206, http: 502 },
  MarketplaceFailed: { code: 42205, http: 502 },
  /** The payment provider did not answer, or not as it should. */
  PaymentFailed: { code: 42207, http: 502 },
  StatementTimedOut: { code: 42202, http: 422 },
  /** The service died while the statement ran; the message says what is known about its effect. */
  Interrupted: { code: 50002, http: 503 },
  Internal: { code: 50000, http: 500 },
  Unavailable: { code: 50001, http: 503 },
  /** No room on the disk of the service: nothing was done, and nothing acknowledged is lost. */
  DiskFull: { code: 50003, http: 507 },
} as const

export type CodeName = keyof typeof CODES

export const codeNumber = (name: CodeName): number => CODES[name].code

const NAMES_BY_NUMBER = new Map<number, CodeName>(
  (Object.keys(CODES) as CodeName[]).map((name) => [CODES[name].code, name]),
)

/** Undefined for a number this version does not know. */
export const codeName = (code: number): CodeName | undefined => NAMES_BY_NUMBER.get(code)

/** Above this, a client rejects with the raw body. */
export const HIGHEST_HANDLED_CODE = 50003
