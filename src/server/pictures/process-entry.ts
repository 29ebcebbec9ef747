/** The picture process: runs one task after the other, as `picture-process.ts` sends them. */
import { Refusal } from '#server/http/refusal.ts'
import type { TaskName, TaskReply } from './picture-process.ts'
import { encodeQuickly, tasks } from './tasks.ts'

if (process.argv.includes('--quick')) encodeQuickly()

process.on('message', ({ name, input }: { name: TaskName; input: never }) => {
  void replyOf(name, input).then((reply) => process.send?.(reply))
})
// The shop has ended, however it did.
process.on('disconnect', () => process.exit(0))

async function replyOf(name: TaskName, input: never): Promise<TaskReply> {
  try {
    return { output: await tasks[name](input) }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: { code: error.code, facts: error.facts } }
    return { error: `${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}` }
  }
}
