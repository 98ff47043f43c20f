import { AppError } from '../../../kernel/app-error.ts'

/** A text of blanks and comments alone. Some clients expect an error of their own for it. */
export class NoStatement extends AppError {
  constructor() {
    super('BadInput', 'There is no statement in this text.')
  }
}
