import { load } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Loads } from './service.ts'

export const loadCalls = ({ uploads, fetches, inspections, tasks }: Loads) =>
  implement(load, {
    beginUpload: ({ actor }, file) => uploads.begin(actor, file),
    fetchUpload: ({ actor }, { address }) => fetches.begin(actor, address),
    upload: ({ actor }, { uploadId }) => fetches.describe(actor, uploadId),
    dropUpload: async ({ actor }, { uploadId }) => {
      await fetches.drop(actor, uploadId)
      return {}
    },
    inspect: ({ actor }, asked) => inspections.begin(actor, asked),
    create: ({ actor }, asked) => tasks.create(actor, asked),
    list: ({ actor }, asked) => tasks.list(actor, asked),
    describe: ({ actor }, { taskId }) => tasks.describe(actor, taskId),
    rejections: ({ actor }, { taskId, ...page }) => tasks.rejections(actor, taskId, page),
    pause: ({ actor }, { taskId }) => tasks.pause(actor, taskId),
    resume: ({ actor }, { taskId }) => tasks.resume(actor, taskId),
    drop: async ({ actor }, { taskId }) => {
      await tasks.drop(actor, taskId)
      return {}
    },
  })
