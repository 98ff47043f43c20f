import { AppError } from '../../../kernel/app-error.ts'

/** A text of blanks and comments alone. Some clients are told so in words of their own. */
export class NoStatement extends AppError {
  constructor() {
    super('BadInput', 'There is no statement in this text.')
  }
}
