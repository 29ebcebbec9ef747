import { useState } from 'react'
import { rafflePaths } from '#contract/raffle-paths.ts'
import type { RaffleView } from '#contract/raffles.ts'
import { ApiForm, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
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

/** How the winner is found, what is published of it, and a check in this browser. */
export function RaffleDraw({ raffle }: { raffle: RaffleView }) {
  const { slug, beacon, drawAt, entriesHash, entryCount, winners } = raffle
  if (!beacon) return null
  const isDrawn = winners.length > 0
  return (
    <section aria-labelledby="draw" className="mt-14 border-t border-line pt-10">
      <h2 id="draw" className="text-title">
        A draw that anybody can check
      </h2>
      <div className="mt-4 grid max-w-[48em] gap-4">
        <p>
          When the raffle ends, we publish a hash of all entries: from then on nobody can add, remove or change one. The
          winner comes from{' '}
          <a href="https://docs.drand.love" className="link-line">
            drand
          </a>
          , public randomness that many organizations make together. Round {beacon.round.toLocaleString('en-US')},
          published on {momentText(drawAt)}, decides. Nobody can know it before, and everybody can compute the winner
          after it.
        </p>
        <p>
          Each entry is published as a commitment: the SHA-256 of a code that only its entrant got, and of the email
          address. It names nobody.
        </p>
      </div>
      <dl className="mt-6 grid max-w-[56rem] gap-x-8 gap-y-3 sm:grid-cols-[auto_1fr]">
        <Hash title="Network" text={beacon.chainHash} />
        <Hash title="Public key" text={beacon.publicKey} />
        <dt className="text-ink-soft">Round</dt>
        <dd className="tabular-nums">{beacon.round}</dd>
        {entriesHash !== null && (
          <>
            <dt className="text-ink-soft">Entries</dt>
            <dd>
              {entryCount?.toLocaleString('en-US')},{' '}
              <a href={rafflePaths.entries(slug)} className="link-line">
                as a file
              </a>
            </dd>
            <Hash title="SHA-256 of that file" text={entriesHash} />
          </>
        )}
        {winners.map(({ commitment, isLapsed }, place) => (
          <Hash
            key={commitment}
            title={`${place === 0 ? 'Winner' : 'Next winner'}${isLapsed ? ', prize not claimed' : ''}`}
            text={commitment}
          />
        ))}
      </dl>
      {entriesHash !== null && <OwnEntry slug={slug} />}
      {isDrawn && <Check slug={slug} />}
    </section>
  )
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
  if (!answer.ok) throw new Error('The file of the draw could not be loaded.')
  return (await answer.json()) as { entries: string[] }
}

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
        Check the draw
      </h3>
      <p className="mt-2 max-w-[48em]">
        This browser can compute it again, with a{' '}
        <a href={rafflePaths.check} className="link-line">
          short program
        </a>{' '}
        that you can read. Or run it yourself, on{' '}
        <a href={rafflePaths.draw(slug)} className="link-line">
          the file of this draw
        </a>
        : <code className="text-[0.875rem]">node draw-check.mjs draw.json</code>
      </p>
      <div className="mt-4">
        <Button variant="outline" busy={busy} onClick={() => void check()}>
          Check in this browser
        </Button>
      </div>
      <div aria-live="polite" className="mt-4 max-w-[48em]">
        {found === 'failed' && <Notice>The check could not be loaded. Please try again.</Notice>}
        {found && found !== 'failed' && (
          <Notice
            tone={isRight(found) ? 'calm' : 'danger'}
            title={isRight(found) ? 'The draw is right' : 'Something differs'}
          >
            <ul>
              <li>
                {found.isSameEntries
                  ? 'The entries are those of the published hash.'
                  : 'The entries have another hash.'}
              </li>
              <li>{found.isSigned ? 'The network signed this round.' : 'The signature is not the network’s.'}</li>
              <li>
                {found.isSameWinner && found.isSameRandomness
                  ? 'The winner follows from entries and round:'
                  : 'Another winner follows from entries and round:'}{' '}
                <span className="font-mono text-[0.8125rem] wrap-anywhere">{found.winners.at(-1)}</span>
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
        Is your entry in it?
      </h3>
      <p className="mt-2 max-w-[48em]">
        Your code is in the email that confirmed your entry. What you type stays in this browser.
      </p>
      <ApiForm send={look} aria-labelledby="own" className="mt-4 flex max-w-[48rem] flex-wrap items-end gap-4">
        <Field label="Your code" name="code" required maxLength={64} autoComplete="off" className="min-w-52 flex-1" />
        <EmailField label="Your email" required className="min-w-52 flex-1" />
        <SubmitButton variant="outline">Look</SubmitButton>
      </ApiForm>
      <div aria-live="polite" className="mt-4">
        {isIn !== undefined && (
          <Notice tone={isIn ? 'calm' : 'danger'}>
            {isIn ? 'Your entry is in the draw.' : 'No entry has this code and email.'}
          </Notice>
        )}
      </div>
    </section>
  )
}
