import { showToast } from '@/components/ui/toast'
import { paths } from '@/lib/paths'
import { requestPhoneCode, signInByPhoneCode } from '../api/mutations'
import { messages } from '../messages'
import { authSearch } from '../model/auth-mode'
import { AuthLink } from './auth-link'
import { CodeForm } from './code-form'
import { Resend } from './resend'

/** Signs in with the code of an SMS (AUTH-08, ERR-08). */
export function PhoneCode({ phone }: { phone: string }) {
  const handleCode = async (digits: string) => {
    await signInByPhoneCode(phone, digits)
    showToast({ title: messages.phoneVerified, tone: 'success' })
  }
  return (
    <div className="grid gap-6">
      <CodeForm label={messages.phoneCode} onCode={handleCode} />
      <Resend onSend={() => requestPhoneCode(phone)} sentText={messages.codeResent} isSentNow>
        <AuthLink
          to={{ pathname: paths.auth, search: authSearch({ mode: 'phone', role: 'user' }) }}
        >
          {messages.otherPhone}
        </AuthLink>
      </Resend>
    </div>
  )
}
