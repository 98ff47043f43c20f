/** A reason that the operator can do something about: said in one sentence, without a stack. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
