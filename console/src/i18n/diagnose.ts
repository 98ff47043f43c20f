import { diagnose } from './en/diagnose.ts'
import { addTexts } from './texts.ts'

addTexts({ diagnose })
