import { randomBytes } from 'node:crypto'
import { autocommitWrite, type Db } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { deleteSetting, findSetting, saveSetting } from '#server/settings/settings.ts'

// Proves that an address leads to a shop on this database: the doctor stores a random question with its answer, requests the
// answer from the address, and deletes both.

const nameOf = (question: string) => `address_proof:${question}`
const secret = () => randomBytes(16).toString('hex')

/** Runs `ask` while its question can be answered. @param ask gets the question and the right answer */
export async function withProof<Result>(
  db: Db,
  ask: (question: string, answer: string) => Promise<Result>,
): Promise<Result> {
  const [question, answer] = [secret(), secret()]
  await autocommitWrite(db, (tx) => saveSetting(tx, nameOf(question), answer))
  try {
    return await ask(question, answer)
  } finally {
    await autocommitWrite(db, (tx) => deleteSetting(tx, nameOf(question)))
  }
}

/** @throws Refusal `unknown_call` for a question that no doctor has open */
export async function answerProof(db: Db, question: string): Promise<string> {
  const answer = await findSetting(db, nameOf(question))
  if (answer === undefined) throw new Refusal('unknown_call')
  return answer
}
