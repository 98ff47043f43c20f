import { pipe } from './en/pipe.ts'
import { addTexts } from './texts.ts'

addTexts({ pipe })
