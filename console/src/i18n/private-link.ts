import { privateLink } from './en/private-link.ts'
import { addTexts } from './texts.ts'

addTexts({ privateLink })
