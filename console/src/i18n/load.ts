import { load } from './en/load.ts'
import { addTexts } from './texts.ts'

addTexts({ load })
