import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { MAIL_LINE_MAX, MAIL_TEXT_MAX } from '#contract/admin-mails.ts'
import { paths } from '#contract/paths.ts'
import {
  houseTexts,
  isMailName,
  mailTextList,
  objectionToPlaceholders,
  placeholdersOf,
  type MailName,
  type MailSlot,
  type MailTexts,
} from '#domain/messages/mail-texts.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { mailsQuery } from './admin-queries.ts'
import { MailPreview } from './MailPreview.tsx'
import { SettingChanges } from './SettingChanges.tsx'
import { useAction } from './use-action.ts'

/** `/admin/mails/{name}`: an email's texts with its preview. */
export function MailPage() {
  const { mail } = useParams()
  const mails = useQuery(mailsQuery)
  // Forms begin again with what an undo has restored.
  const [undoCount, setUndoCount] = useState(0)
  if (!isMailName(mail))
    return (
      <AdminFrame title="Email">
        <p>
          The shop sends no such email.{' '}
          <Link to={paths.adminMails} className="link-line">
            All emails
          </Link>
        </p>
      </AdminFrame>
    )
  return (
    <AdminFrame title={mailTextList[mail].label}>
      <p className="mb-2">
        <Link to={paths.adminMails} className="link-line">
          All email texts
        </Link>
      </p>
      <p className="mb-8 max-w-[44em] text-ink-soft">{mailTextList[mail].when}</p>
      <QueryBoundary query={mails}>
        {({ changed, changes }) => (
          <div className="grid gap-14">
            <MailEditor key={undoCount} name={mail} saved={changed[mail] ?? houseTexts(mail)} />
            <SettingChanges
              changes={changes.filter(({ about }) => about.id === mail)}
              onUndo={() => setUndoCount((count) => count + 1)}
            />
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const lines: readonly { slot: MailSlot; label: string; hint?: string }[] = [
  { slot: 'subject', label: 'Subject' },
  { slot: 'title', label: 'Headline', hint: 'At the top of the email; not in its plain text.' },
]
const texts: readonly { slot: MailSlot; label: string; hint?: string }[] = [
  { slot: 'greeting', label: 'Greeting' },
  { slot: 'opening', label: 'Opening', hint: 'Also shown beside the subject in most inboxes.' },
  { slot: 'closing', label: 'Closing', hint: 'After the facts. Empty lines separate paragraphs.' },
]

function MailEditor({ name, saved }: { name: MailName; saved: MailTexts }) {
  const api = useApi()
  const queries = useQueryClient()
  const { act, busy, failure } = useAction()
  const [typed, setTyped] = useState(saved)
  /** What the typed texts are based on. */
  const [base, setBase] = useState(saved)
  const [other, setOther] = useState<MailTexts>()
  const update = (slot: MailSlot) => (value: string) => setTyped((before) => ({ ...before, [slot]: value }))

  const house = houseTexts(name)
  const isHouse = (one: MailTexts) => JSON.stringify(one) === JSON.stringify(house)
  const errorOf = (slot: MailSlot): string | undefined => {
    if ((slot === 'subject' || slot === 'title') && typed[slot].trim() === '') return 'Please write something'
    return objectionToPlaceholders(name, typed[slot])
  }
  const isWrong = [...lines, ...texts].some(({ slot }) => errorOf(slot))

  const save = (value: MailTexts | null) =>
    act(async () => {
      try {
        const answer = await api('PUT /api/admin/mails/:mail', { params: { mail: name }, body: { was: base, value } })
        setBase(value ?? house)
        setTyped(value ?? house)
        setOther(undefined)
        return answer
      } catch (error) {
        if (isRefusal(error, 'setting_changed')) {
          const fresh = await queries.fetchQuery({ ...mailsQuery, staleTime: 0 })
          setBase(fresh.changed[name] ?? house)
          setOther(fresh.changed[name] ?? house)
        }
        throw error
      }
    })
  const hintOf = (slot: MailSlot, hint?: string) =>
    other && other[slot] !== typed[slot] ? `Saved meanwhile by another owner: ${other[slot]}` : hint

  return (
    <div className="grid items-start gap-x-10 gap-y-10 xl:grid-cols-2">
      <form
        aria-label="Texts"
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isWrong) void save(typed)
        }}
      >
        {lines.map(({ slot, label, hint }) => (
          <Field
            key={slot}
            label={label}
            hint={hintOf(slot, hint)}
            value={typed[slot]}
            error={errorOf(slot)}
            maxLength={MAIL_LINE_MAX}
            onValue={update(slot)}
          />
        ))}
        {texts.map(({ slot, label, hint }) => (
          <TextArea
            key={slot}
            label={label}
            hint={hintOf(slot, hint)}
            rows={slot === 'greeting' ? 2 : 5}
            value={typed[slot]}
            error={errorOf(slot)}
            maxLength={MAIL_TEXT_MAX}
            onValue={update(slot)}
          />
        ))}
        <p className="text-sm text-ink-soft">
          Placeholders:{' '}
          {placeholdersOf(name).map((one) => (
            <code key={one} className="mr-2 inline-block">{`{${one}}`}</code>
          ))}
        </p>
        {failure && <Notice>{failure.sentence}</Notice>}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" busy={busy} disabled={isWrong}>
            Save
          </Button>
          <Button
            variant="outline"
            busy={busy}
            disabled={isWrong}
            onClick={() =>
              void act(() =>
                api('POST /api/admin/mails/:mail/test', { params: { mail: name }, body: { texts: typed } }),
              )
            }
          >
            Send me a test
          </Button>
          {!isHouse(base) && (
            <Button variant="plain" busy={busy} onClick={() => void save(null)}>
              Use the texts of the house
            </Button>
          )}
        </div>
      </form>
      {isWrong ? (
        <Notice tone="calm">The preview is back when every text is right.</Notice>
      ) : (
        <MailPreview name={name} texts={typed} />
      )}
    </div>
  )
}
