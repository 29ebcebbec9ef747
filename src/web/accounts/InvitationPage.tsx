import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { roles } from '#domain/accounts/roles.ts'
import type { Answer } from '#web/api/client.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { userQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { UsernameField } from './UsernameField.tsx'
import { ChosenPassword, Registration } from './registration.ts'
import { useLinkSecret } from './use-link-secret.ts'

/** `/invitation`: opened through an emailed link; the invited person chooses a username and a password, and is signed in. */
export function InvitationPage() {
  const token = useLinkSecret()
  return (
    <div className="shell pt-12 pb-16 lg:pt-20">
      <PageHead title="Invitation" />
      <div className="max-w-[32rem]">
        <noscript>
          <p>This page needs JavaScript.</p>
        </noscript>
        {token ? <OpenInvitation token={token} /> : <Expired />}
      </div>
    </div>
  )
}

type Shown = Answer<'POST /api/invitation/look'>

function OpenInvitation({ token }: { token: string }) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['POST /api/invitation/look', token],
    queryFn: async (): Promise<Shown | null> => {
      try {
        return await api('POST /api/invitation/look', { body: { token } })
      } catch (error) {
        if (isRefusal(error, 'link_expired')) return null
        throw error
      }
    },
    // It opens once, and accepting it must not show that it is gone.
    staleTime: Infinity,
  })
  return (
    <QueryBoundary query={query} failureTitle="The invitation could not be loaded" className="min-h-[40vh]">
      {(invitation) => (invitation ? <AcceptForm token={token} invitation={invitation} /> : <Expired />)}
    </QueryBoundary>
  )
}

const Expired = () => (
  <>
    <h1 className="text-headline">This invitation can’t be opened</h1>
    <p className="mt-4 text-lg text-ink-soft">
      A link works once, for 7 days, and ends when it is sent again or withdrawn. Please ask the person who invited you
      for a new one.
    </p>
    <Link to={paths.auth} className={buttonClass('outline', 'mt-8')}>
      Login
    </Link>
  </>
)

function AcceptForm({ token, invitation }: { token: string; invitation: Shown }) {
  const { email, role, invitedBy, username } = invitation
  const { name } = useSite()
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <>
      <h1 className="text-headline">Welcome to {name}</h1>
      <p className="mt-4 text-lg text-ink-soft">
        {invitedBy} invites {email} to work here. Your role is {roles[role].name}. {roles[role].summary}
      </p>
      <ApiForm
        aria-label="Accept the invitation"
        className="mt-8 grid gap-6"
        schema={username === null ? Registration : ChosenPassword}
        send={async ({ password, ...typed }: { password: string; username?: string }) => {
          const body = { token, username: username ?? typed.username ?? '', password }
          queries.setQueryData(userQuery.queryKey, await api('POST /api/invitation', { body }))
          await navigate(paths.admin)
        }}
      >
        {username === null ? (
          <UsernameField hint="You sign in with it, and the shop’s log shows it." />
        ) : (
          <p>
            You already have the account <span className="font-medium">{username}</span>. It gets the role and the new
            password, and is signed out everywhere else.
          </p>
        )}
        <NewPasswordFields label={username === null ? 'Password' : 'New password'} min={12} />
        <FormNotice title="Not accepted" />
        <div>
          <SubmitButton busyText="Accepting...">Accept the invitation</SubmitButton>
        </div>
      </ApiForm>
    </>
  )
}
