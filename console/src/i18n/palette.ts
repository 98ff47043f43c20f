import { palette } from './en/palette.ts'
import { addTexts } from './texts.ts'

addTexts({ palette })
