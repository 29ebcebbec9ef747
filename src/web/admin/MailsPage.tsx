import { useQuery } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import { mailNames, mailTextList } from '#domain/messages/mail-texts.ts'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { mailsQuery } from './admin-queries.ts'
import { SettingChanges } from './SettingChanges.tsx'

/** `/admin/mails`: the emails whose texts the owner can change. */
export function MailsPage() {
  const mails = useQuery(mailsQuery)
  return (
    <AdminFrame title="Email texts">
      <p className="mb-8 max-w-[44em] text-ink-soft">
        What the shop writes to shoppers, subscribers, account holders and partners. Every change is in the log and can
        be undone.
      </p>
      <QueryBoundary query={mails}>
        {({ changed, changes }) => (
          <div className="grid gap-14">
            <ul className="grid max-w-3xl divide-y divide-line border-y border-line">
              {mailNames.map((name) => (
                <li key={name} className="py-3">
                  {/* Loaded as a page of its own: see paths.adminMail. */}
                  <a href={paths.adminMail(name)} className="link-line inline-flex min-h-11 items-center font-medium">
                    {mailTextList[name].label}
                  </a>
                  {changed[name] && <span className="ml-3 text-sm font-semibold">Your texts</span>}
                  <p className="text-sm text-ink-soft">{mailTextList[name].when}</p>
                </li>
              ))}
            </ul>
            <SettingChanges changes={changes} />
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}
