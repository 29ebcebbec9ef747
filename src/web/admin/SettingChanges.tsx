import type { AuditLogEntry } from '#contract/admin.ts'
import { mailTextList } from '#domain/messages/mail-texts.ts'
import { legalPages } from '#domain/legal/legal-text.ts'
import { isLanguage, languageNames } from '#shared/language.ts'
import { settingList } from '#contract/settings.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Moment } from './Moment.tsx'
import { UndoButton } from './UndoButton.tsx'

/** The latest changes of settings, each with a button that takes it back. */
export const SettingChanges = ({ changes, onUndo }: { changes: readonly AuditLogEntry[]; onUndo?: () => void }) => (
  <section aria-labelledby="changes">
    <h2 id="changes" className="border-b border-line pb-3 text-title">
      Latest changes
    </h2>
    {changes.length === 0 ? (
      <div className="mt-6">
        <Notice tone="calm">Nothing has been changed yet.</Notice>
      </div>
    ) : (
      <ul className="mt-2 grid max-w-3xl divide-y divide-line">
        {changes.map(({ id, who, what, about, at }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 py-2">
            <span>
              {who} {what} ‘{labelOf(about.id)}’, <Moment at={at} />
            </span>
            <UndoButton id={id} target={labelOf(about.id)} {...(onUndo && { onDone: onUndo })} />
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** @param id a name, of a translation with its language after it */
function labelOf(id: string): string {
  const [name, language = ''] = id.split(' ')
  const label = Object.entries({ ...settingList, ...mailTextList, ...legalPages }).find(([key]) => key === name)?.[1]
    .label
  return isLanguage(language) ? `${label}, ${languageNames[language]}` : (label ?? id)
}
