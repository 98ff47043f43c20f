import { embedded } from './en/embedded.ts'
import { addTexts } from './texts.ts'

addTexts({ embedded })
