import { useState } from 'react'
import { rafflePaths } from '#contract/raffle-paths.ts'
import type { RaffleView } from '#contract/raffles.ts'
import { formatNumber } from '#shared/language.ts'
import { ApiForm, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { say } from '#words/say.ts'
import type { TypedFields } from '#web/ui/use-form.ts'
import { momentText } from './moment-text.ts'

/** What the program finds, `src/server/raffles/draw-check.mjs`. */
type Found = {
  isSameEntries: boolean
  isSigned: boolean | undefined
  isSameRandomness: boolean
  isSameWinner: boolean
  winners: string[]
}
type Program = {
  checkDraw: (draw: object, bls: object) => Promise<Found>
  entryOf: (code: string, email: string) => Promise<string>
}

const DRAND = { name: 'drand', url: 'https://docs.drand.love' }

/** How the winner is found, what is published of it, and a check in this browser. */
export function RaffleDraw({ raffle }: { raffle: RaffleView }) {
  const { slug, beacon, drawAt, entriesHash, entryCount, winners } = raffle
  if (!beacon) return null
  const isDrawn = winners.length > 0
  return (
    <section aria-labelledby="draw" className="mt-14 border-t border-line pt-10">
      <h2 id="draw" className="text-title">
        {say('A draw that anybody can check')}
      </h2>
      <div className="mt-4 grid max-w-[48em] gap-4">
        <p>
          <Sentence
            word="When the raffle ends, we publish a hash of all entries: from then on nobody can add, remove or change one. The winner comes from {drand}, public randomness that many organizations make together. Round {round}, published on {moment}, decides. Nobody can know it before, and everybody can compute the winner after it."
            parts={{
              drand: (
                <a href={DRAND.url} className="link-line">
                  {DRAND.name}
                </a>
              ),
              round: formatNumber(beacon.round),
              moment: momentText(drawAt),
            }}
          />
        </p>
        <p>
          {say(
            'Each entry is published as a commitment: the SHA-256 of a code that only its entrant got, and of the email address. It names nobody.',
          )}
        </p>
      </div>
      <dl className="mt-6 grid max-w-[56rem] gap-x-8 gap-y-3 sm:grid-cols-[auto_1fr]">
        <Hash title={say('Network')} text={beacon.chainHash} />
        <Hash title={say('Public key')} text={beacon.publicKey} />
        <dt className="text-ink-soft">{say('Round')}</dt>
        <dd>{beacon.round}</dd>
        {entriesHash !== null && (
          <>
            <dt className="text-ink-soft">{say('Entries')}</dt>
            <dd>
              <Sentence
                word="{count, number}, {file}"
                parts={{
                  count: entryCount,
                  file: (
                    <a href={rafflePaths.entries(slug)} className="link-line">
                      {say('as a file')}
                    </a>
                  ),
                }}
              />
            </dd>
            <Hash title={say('SHA-256 of that file')} text={entriesHash} />
          </>
        )}
        {winners.map(({ commitment, isLapsed }, place) => (
          <Hash key={commitment} title={winnerTitle(place === 0, isLapsed)} text={commitment} />
        ))}
      </dl>
      {entriesHash !== null && <OwnEntry slug={slug} />}
      {isDrawn && <Check slug={slug} />}
    </section>
  )
}

function winnerTitle(isFirst: boolean, isLapsed: boolean): string {
  if (isLapsed) return isFirst ? say('Winner, prize not claimed') : say('Next winner, prize not claimed')
  return isFirst ? say('Winner') : say('Next winner')
}

const Hash = ({ title, text }: { title: string; text: string }) => (
  <>
    <dt className="text-ink-soft">{title}</dt>
    <dd className="font-mono text-[0.8125rem] wrap-anywhere">{text}</dd>
  </>
)

/** The very file that anybody can download; the bundler must not make another one of it. */
const loadProgram = (): Promise<Program> => import(/* @vite-ignore */ rafflePaths.check) as Promise<Program>

async function readDraw(slug: string): Promise<{ entries: string[] }> {
  const answer = await fetch(rafflePaths.draw(slug))
  if (!answer.ok) throw new Error(say('The file of the draw could not be loaded.'))
  return (await answer.json()) as { entries: string[] }
}

const COMMAND = 'node draw-check.mjs draw.json'

function Check({ slug }: { slug: string }) {
  const [found, setFound] = useState<Found | 'failed'>()
  const [busy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    try {
      const [{ checkDraw }, draw, { bls12_381 }] = await Promise.all([
        loadProgram(),
        readDraw(slug),
        import('@noble/curves/bls12-381.js'),
      ])
      setFound(await checkDraw(draw, bls12_381))
    } catch {
      setFound('failed')
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-labelledby="check" className="mt-10">
      <h3 id="check" className="text-lg font-semibold">
        {say('Check the draw')}
      </h3>
      <p className="mt-2 max-w-[48em]">
        <Sentence
          word="This browser can compute it again, with a {program} that you can read. Or run it yourself, on {file}: {command}"
          parts={{
            program: (
              <a href={rafflePaths.check} className="link-line">
                {say('short program')}
              </a>
            ),
            file: (
              <a href={rafflePaths.draw(slug)} className="link-line">
                {say('the file of this draw')}
              </a>
            ),
            command: <code className="text-[0.875rem]">{COMMAND}</code>,
          }}
        />
      </p>
      <div className="mt-4">
        <Button variant="outline" busy={busy} onClick={() => void check()}>
          {say('Check in this browser')}
        </Button>
      </div>
      <div aria-live="polite" className="mt-4 max-w-[48em]">
        {found === 'failed' && <Notice>{say('The check could not be loaded. Please try again.')}</Notice>}
        {found && found !== 'failed' && (
          <Notice
            tone={isRight(found) ? 'calm' : 'danger'}
            title={isRight(found) ? say('The draw is right') : say('Something differs')}
          >
            <ul>
              <li>
                {found.isSameEntries
                  ? say('The entries are those of the published hash.')
                  : say('The entries have another hash.')}
              </li>
              <li>
                {found.isSigned ? say('The network signed this round.') : say('The signature is not the network’s.')}
              </li>
              <li>
                <Sentence
                  word={
                    found.isSameWinner && found.isSameRandomness
                      ? 'The winner follows from entries and round: {winner}'
                      : 'Another winner follows from entries and round: {winner}'
                  }
                  parts={{
                    winner: <span className="font-mono text-[0.8125rem] wrap-anywhere">{found.winners.at(-1)}</span>,
                  }}
                />
              </li>
            </ul>
          </Notice>
        )}
      </div>
    </section>
  )
}

const isRight = ({ isSameEntries, isSigned, isSameRandomness, isSameWinner }: Found): boolean =>
  isSameEntries && isSigned === true && isSameRandomness && isSameWinner

/** Nothing typed here leaves the browser. */
function OwnEntry({ slug }: { slug: string }) {
  const [isIn, setIsIn] = useState<boolean>()
  const look = async (typed: TypedFields) => {
    const [{ entryOf }, file] = await Promise.all([loadProgram(), fetch(rafflePaths.entries(slug))])
    const entry = await entryOf(typed['code'] ?? '', typed['email'] ?? '')
    setIsIn((await file.text()).split('\n').includes(entry))
  }
  return (
    <section aria-labelledby="own" className="mt-10">
      <h3 id="own" className="text-lg font-semibold">
        {say('Is your entry in it?')}
      </h3>
      <p className="mt-2 max-w-[48em]">
        {say('Your code is in the email that confirmed your entry. What you type stays in this browser.')}
      </p>
      <ApiForm send={look} aria-labelledby="own" className="mt-4 flex max-w-[48rem] flex-wrap items-end gap-4">
        <Field
          label={say('Your code')}
          name="code"
          required
          maxLength={64}
          autoComplete="off"
          className="min-w-52 flex-1"
        />
        <EmailField label={say('Your email')} required className="min-w-52 flex-1" />
        <SubmitButton variant="outline">{say('Look')}</SubmitButton>
      </ApiForm>
      <div aria-live="polite" className="mt-4">
        {isIn !== undefined && (
          <Notice tone={isIn ? 'calm' : 'danger'}>
            {isIn ? say('Your entry is in the draw.') : say('No entry has this code and email.')}
          </Notice>
        )}
      </div>
    </section>
  )
}
