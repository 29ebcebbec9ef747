import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { answerErrors } from './errors.ts'
import { keepLanguage } from './language.ts'

const coded = (code: string) => Object.assign(new Error('from the server'), { code })

test.each([
  ['a connection that nobody takes', coded('ECONNREFUSED')],
  ['a server that is ending', coded('57P01')],
  ['a pooler whose server is gone', coded('08P01')],
  ['a primary that has become a replica', coded('25006')],
  ['a connection that broke', new Error('Connection terminated unexpectedly')],
  // The failed rollback hides the statement that failed first.
  [
    'a connection that broke in a transaction',
    new Error('Failed query: rollback', {
      cause: new Error('Client has encountered a connection error and is not queryable'),
    }),
  ],
  ['a full pool', new Error('timeout exceeded when trying to connect')],
])('%s is answered with 503 and a time to retry (F39)', async (_, error) => {
  const app = Fastify()
  await keepLanguage(app)
  answerErrors(app, () => 'The Shop')
  app.get('/', () => Promise.reject(error))
  const answer = await app.inject('/')
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'unavailable'])
  expect(answer.headers['retry-after']).toBe('5')
})

test('any other error is answered with 500 without its message', async () => {
  const app = Fastify()
  await keepLanguage(app)
  answerErrors(app, () => 'The Shop')
  app.get('/', () => Promise.reject(new Error('of nobody’s business')))
  const answer = await app.inject('/')
  expect(answer.statusCode).toBe(500)
  expect(answer.body).not.toContain('business')
})
