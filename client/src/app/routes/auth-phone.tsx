import { useNavigate } from 'react-router'
import { AuthFrame } from '@/features/auth/components/auth-frame'
import { LoadingForm } from '@/features/auth/components/lazy-forms'
import { messages } from '@/features/auth/messages'
import { authSearch } from '@/features/auth/model/auth-mode'
import { paths } from '@/lib/paths'

/** Sign-in by phone: the number, then the code sent to it (AUTH-03, AUTH-08). */
export function AuthPhone({ phone }: { phone: string | undefined }) {
  const navigate = useNavigate()
  if (phone !== undefined) {
    return (
      <AuthFrame title={messages.codeSent} text={messages.codeSentText(phone)}>
        <LoadingForm fields={1} className="min-h-71.5">
          {({ PhoneCode }) => <PhoneCode phone={phone} />}
        </LoadingForm>
      </AuthFrame>
    )
  }
  const handleSent = (number: string) => {
    const search = authSearch({ mode: 'phone-code', role: 'user' })
    void navigate({ pathname: paths.auth, search }, { state: { phone: number } })
  }
  return (
    <AuthFrame title={messages.phoneTitle} text={messages.phoneText}>
      <LoadingForm fields={1} className="min-h-55.5">
        {({ PhoneForm }) => <PhoneForm onSent={handleSent} />}
      </LoadingForm>
    </AuthFrame>
  )
}
