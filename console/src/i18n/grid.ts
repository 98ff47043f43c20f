import { grid } from './en/grid.ts'
import { addTexts } from './texts.ts'

addTexts({ grid })
