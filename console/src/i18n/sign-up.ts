import { signUp } from './en/sign-up.ts'
import { addTexts } from './texts.ts'

addTexts({ signUp })
