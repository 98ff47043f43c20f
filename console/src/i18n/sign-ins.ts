import { signIns } from './en/sign-ins.ts'
import { addTexts } from './texts.ts'

addTexts({ signIns })
