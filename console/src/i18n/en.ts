import { editor } from './en/editor.ts'
import { home } from './en/home.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { ui } from './en/ui.ts'

/** Every sentence a user reads, by feature. */
export const en = { editor, home, shell, signIn, ui }
