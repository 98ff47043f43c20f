import { security } from './en/security.ts'
import { addTexts } from './texts.ts'

addTexts({ security })
