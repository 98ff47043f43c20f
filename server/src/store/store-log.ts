/** The part of the server's log that the store needs. */
export interface StoreLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}
