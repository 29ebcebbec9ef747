import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { autocommitWrite, type Db } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'

// Whether an address leads to a shop on this very database: the doctor leaves an answer there under a question that nobody else
// knows, asks the address, and takes both away again.

const nameOf = (question: string) => `address_proof:${question}`
const secret = () => randomBytes(16).toString('hex')

/** Asks with a question that is answered while it is asked. @param ask is given the question and the right answer */
export async function withProof<Told>(db: Db, ask: (question: string, answer: string) => Promise<Told>): Promise<Told> {
  const [question, answer] = [secret(), secret()]
  await autocommitWrite(db, (tx) =>
    tx.execute(sql`insert into setting (name, value) values (${nameOf(question)}, ${answer})`),
  )
  try {
    return await ask(question, answer)
  } finally {
    await autocommitWrite(db, (tx) => tx.execute(sql`delete from setting where name = ${nameOf(question)}`))
  }
}

/** @throws Refusal `unknown_call` for a question that no doctor is asking */
export async function answerProof(db: Db, question: string): Promise<string> {
  const { rows } = await db.execute<{ value: string }>(sql`select value from setting where name = ${nameOf(question)}`)
  if (!rows[0]) throw new Refusal('unknown_call')
  return rows[0].value
}
