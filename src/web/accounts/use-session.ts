import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Credentials, LoginCredentials, SessionUser } from '#contract/accounts.ts'
import { isRefusal, sentenceOf } from '#web/api/error-sentence.ts'
import { userQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useToast } from '#web/ui/toast.tsx'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'

type SessionAction = 'login' | 'register' | 'logout'

/** Toasts of the specification, section 8. */
const toasts = {
  login: { done: ['Login successful', 'Welcome back!'], failed: 'Login failed' },
  register: { done: ['Registration successful', 'Your account has been created.'], failed: 'Registration failed' },
  logout: { done: ['Logged out', 'You have been logged out successfully.'], failed: 'Logout failed' },
} as const satisfies Record<SessionAction, { done: readonly [Word, Word]; failed: Word }>

/**
 * The signed-in user, login, registration and logout. A failure shows a toast; those of login and registration are rethrown for
 * the form's own message.
 * @throws Bug outside of ApiContext
 */
export function useSession() {
  const api = useApi()
  const queries = useQueryClient()
  const { toast } = useToast()
  const { data: user, isError, refetch } = useQuery(userQuery)
  const [isLoggingOut, setLoggingOut] = useState(false)

  const act = async (action: SessionAction, send: () => Promise<SessionUser | null>): Promise<void> => {
    const [title, description] = toasts[action].done
    try {
      const newUser = await send()
      toast({ title: say(title), description: say(description) })
      queries.setQueryData(userQuery.queryKey, newUser)
    } catch (error) {
      // A login that needs its second step has not failed.
      if (!isRefusal(error, 'code_needed'))
        toast({ title: say(toasts[action].failed), description: sentenceOf(error), destructive: true })
      throw error
    }
  }

  return {
    /** Null when signed out, undefined until known. */
    user,
    isError,
    refetch: () => void refetch(),
    login: (credentials: LoginCredentials) => act('login', () => api('POST /api/login', { body: credentials })),
    register: ({ username, password }: Credentials) =>
      act('register', () => api('POST /api/register', { body: { username, password } })),
    isLoggingOut,
    /** A failure only shows its toast. */
    logout: () => {
      setLoggingOut(true)
      const logout = act('logout', async () => {
        await api('POST /api/logout')
        return null
      })
      void logout.catch(() => undefined).finally(() => setLoggingOut(false))
    },
  }
}
