import { catalog } from './en/catalog.ts'
import { addTexts } from './texts.ts'

addTexts({ catalog })
