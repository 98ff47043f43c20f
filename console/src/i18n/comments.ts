import { comments } from './en/comments.ts'
import { addTexts } from './texts.ts'

addTexts({ comments })
