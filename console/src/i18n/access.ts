import { access } from './en/access.ts'
import { addTexts } from './texts.ts'

addTexts({ access })
