import { appendFileSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Call } from '#contract/call.ts'
import { callGroups } from '#contract/calls.ts'

/** Environment variable with the folder where test processes record the calls that were answered; set by the full test run. */
const FOLDER = 'ANSWERED_CALLS'

const keyOf = ({ method, path }: Call) => `${method} ${path}`

/**
 * Records each call that the shop answers with success over a connection. Requests injected into the process do
 * not count: the role matrix and the fuzzer inject every call, whatever its answer.
 */
export function noteAnsweredCalls(http: FastifyInstance): void {
  const folder = process.env[FOLDER]
  if (!folder) return
  const noted = new Set<string>()
  http.addHook('onResponse', async (request, reply) => {
    const { call } = request.routeOptions.config
    if (!call || reply.statusCode >= 300 || request.headers['user-agent'] === 'lightMyRequest') return
    const key = keyOf(call)
    if (noted.has(key)) return
    noted.add(key)
    appendFileSync(join(folder, `${process.pid}.txt`), `${key}\n`)
  })
}

/** @param folder value of `ANSWERED_CALLS` while the tests ran @returns calls of the contract that no test had answered, as `GET /api/cart` */
export function listUnansweredCalls(folder: string): string[] {
  const answered = new Set(
    globSync('*.txt', { cwd: folder }).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')),
  )
  return Object.values(callGroups)
    .flatMap((group) => Object.values<Call>(group))
    .map(keyOf)
    .filter((key) => !answered.has(key))
}
