package mailer

// mailTexts are the texts of a built-in mail in one language. text and note are templates.
type mailTexts struct {
	subject, text string
	button        string // label of the link; empty: a mail without a link
	note          string
}

// language has the texts of all mails in one language.
type language struct {
	orCode, code string            // introduce a code, with and without a link in the mail
	factors      map[string]string // names of second factors by type
	mails        map[Kind]mailTexts
}

// defaultLanguage is the language for users who have not chosen a supported one.
const defaultLanguage = "en"

var languages = map[string]language{"en": english, "es": spanish, "ca": catalan}

const (
	noticeNoteEnglish = "If it was not you, reset your password at once and look at your active sessions."
	noticeNoteSpanish = "Si no has sido tú, restablece tu contraseña enseguida y revisa tus sesiones activas."
	noticeNoteCatalan = "Si no has estat tu, restableix la teva contrasenya de seguida i revisa les teves sessions actives."
)

var english = language{
	orCode: "Or enter this code:", code: "Enter this code:",
	factors: map[string]string{"totp": "authenticator app", "phone": "phone", "webauthn": "security key"},
	mails: map[Kind]mailTexts{
		Confirmation: {
			"Confirm your email", "Welcome. Confirm that {{.Email}} is your address, and your account is ready.",
			"Confirm email", "If you did not sign up, ignore this mail. Nothing happens until you confirm.",
		},
		Recovery: {
			"Reset your password", "Somebody, hopefully you, asked for a new password for {{.Email}}.",
			"Choose a new password", "If it was not you, ignore this mail. Your password stays as it is.",
		},
		MagicLink: {
			"Your sign-in link", "Sign in to your account as {{.Email}}.",
			"Sign in", "If you did not ask for this, ignore this mail. Never pass the link or the code on.",
		},
		EmailChange: {
			"Confirm your new email", "The email of your account is to change{{if .Email}} from {{.Email}}{{end}} to {{.NewEmail}}. Confirm that this is right.",
			"Confirm change", "If you did not ask for this, do not confirm. Sign in and change your password instead.",
		},
		Invite: {
			"You have been invited", "You have been invited to make an account on {{.SiteName}} as {{.Email}}.",
			"Accept the invitation", "If you did not expect this, ignore this mail.",
		},
		Reauthentication: {
			"Confirm that it is you", "Somebody who is signed in to your account {{.Email}} wants to change something important.",
			"", "If it was not you, change your password. Never pass the code on.",
		},
		AccountLocked: {
			"Your account was locked", "Somebody tried wrong passwords for your account {{.Email}}, so it is locked for a while for devices it does not know. This link signs you in and unlocks it.",
			"Sign in and unlock", "If it was not you, there is nothing else to do: your password was not guessed.",
		},
		PasswordChanged: {"Your password was changed", "The password of your account {{.Email}} was just changed.", "", noticeNoteEnglish},
		EmailChanged:    {"Your email address was changed", "The email address of your account was changed from {{.OldEmail}} to {{.Email}}.", "", noticeNoteEnglish},
		PhoneChanged:    {"Your phone number was changed", "The phone number of your account {{.Email}} is now +{{.Phone}}.", "", noticeNoteEnglish},
		IdentityLinked:  {"A way to sign in was added", "Your account {{.Email}} can now be signed in to with {{.Provider}}.", "", noticeNoteEnglish},
		IdentityUnlinked: {
			"A way to sign in was removed", "Your account {{.Email}} can no longer be signed in to with {{.Provider}}.", "", noticeNoteEnglish,
		},
		FactorEnrolled:   {"Two-factor authentication was added", "A second factor ({{.Factor}}) was added to your account {{.Email}}.", "", noticeNoteEnglish},
		FactorUnenrolled: {"Two-factor authentication was removed", "A second factor ({{.Factor}}) was removed from your account {{.Email}}.", "", noticeNoteEnglish},
	},
}

var spanish = language{
	orCode: "O introduce este código:", code: "Introduce este código:",
	factors: map[string]string{"totp": "aplicación de autenticación", "phone": "teléfono", "webauthn": "llave de seguridad"},
	mails: map[Kind]mailTexts{
		Confirmation: {
			"Confirma tu correo", "Te damos la bienvenida. Confirma que {{.Email}} es tu dirección y tu cuenta estará lista.",
			"Confirmar correo", "Si no te has registrado, ignora este correo. No pasa nada hasta que confirmes.",
		},
		Recovery: {
			"Restablece tu contraseña", "Alguien, esperamos que tú, ha pedido una contraseña nueva para {{.Email}}.",
			"Elegir una contraseña nueva", "Si no has sido tú, ignora este correo. Tu contraseña sigue como estaba.",
		},
		MagicLink: {
			"Tu enlace para entrar", "Entra en tu cuenta como {{.Email}}.",
			"Entrar", "Si no lo has pedido, ignora este correo. No compartas nunca el enlace ni el código.",
		},
		EmailChange: {
			"Confirma tu correo nuevo", "El correo de tu cuenta va a cambiar{{if .Email}} de {{.Email}}{{end}} a {{.NewEmail}}. Confirma que es correcto.",
			"Confirmar el cambio", "Si no lo has pedido, no confirmes. Entra en tu cuenta y cambia tu contraseña.",
		},
		Invite: {
			"Tienes una invitación", "Te han invitado a crear una cuenta en {{.SiteName}} como {{.Email}}.",
			"Aceptar la invitación", "Si no la esperabas, ignora este correo.",
		},
		Reauthentication: {
			"Confirma que eres tú", "Alguien que ha entrado en tu cuenta {{.Email}} quiere cambiar algo importante.",
			"", "Si no has sido tú, cambia tu contraseña. No compartas nunca el código.",
		},
		AccountLocked: {
			"Tu cuenta se ha bloqueado", "Alguien ha probado contraseñas incorrectas para tu cuenta {{.Email}}, así que está bloqueada un rato para los dispositivos que no conoce. Este enlace te deja entrar y la desbloquea.",
			"Entrar y desbloquear", "Si no has sido tú, no tienes que hacer nada más: nadie ha adivinado tu contraseña.",
		},
		PasswordChanged:  {"Tu contraseña ha cambiado", "Se acaba de cambiar la contraseña de tu cuenta {{.Email}}.", "", noticeNoteSpanish},
		EmailChanged:     {"Tu correo ha cambiado", "El correo de tu cuenta ha cambiado de {{.OldEmail}} a {{.Email}}.", "", noticeNoteSpanish},
		PhoneChanged:     {"Tu número de teléfono ha cambiado", "El número de teléfono de tu cuenta {{.Email}} es ahora +{{.Phone}}.", "", noticeNoteSpanish},
		IdentityLinked:   {"Se ha añadido una forma de entrar", "Ahora se puede entrar en tu cuenta {{.Email}} con {{.Provider}}.", "", noticeNoteSpanish},
		IdentityUnlinked: {"Se ha quitado una forma de entrar", "Ya no se puede entrar en tu cuenta {{.Email}} con {{.Provider}}.", "", noticeNoteSpanish},
		FactorEnrolled: {
			"Se ha añadido un segundo paso para entrar", "Se ha añadido un segundo paso ({{.Factor}}) a tu cuenta {{.Email}}.", "", noticeNoteSpanish,
		},
		FactorUnenrolled: {
			"Se ha quitado un segundo paso para entrar", "Se ha quitado un segundo paso ({{.Factor}}) de tu cuenta {{.Email}}.", "", noticeNoteSpanish,
		},
	},
}

var catalan = language{
	orCode: "O introdueix aquest codi:", code: "Introdueix aquest codi:",
	factors: map[string]string{"totp": "aplicació d’autenticació", "phone": "telèfon", "webauthn": "clau de seguretat"},
	mails: map[Kind]mailTexts{
		Confirmation: {
			"Confirma el teu correu", "Et donem la benvinguda. Confirma que {{.Email}} és la teva adreça i el teu compte estarà a punt.",
			"Confirmar el correu", "Si no t’has registrat, ignora aquest correu. No passa res fins que confirmis.",
		},
		Recovery: {
			"Restableix la teva contrasenya", "Algú, esperem que tu, ha demanat una contrasenya nova per a {{.Email}}.",
			"Triar una contrasenya nova", "Si no has estat tu, ignora aquest correu. La teva contrasenya continua igual.",
		},
		MagicLink: {
			"El teu enllaç per entrar", "Entra al teu compte com a {{.Email}}.",
			"Entrar", "Si no ho has demanat, ignora aquest correu. No comparteixis mai l’enllaç ni el codi.",
		},
		EmailChange: {
			"Confirma el teu correu nou", "El correu del teu compte passarà a ser {{.NewEmail}}{{if .Email}} (ara és {{.Email}}){{end}}. Confirma que és correcte.",
			"Confirmar el canvi", "Si no ho has demanat, no confirmis. Entra al teu compte i canvia la contrasenya.",
		},
		Invite: {
			"Tens una invitació", "T’han convidat a crear un compte a {{.SiteName}} com a {{.Email}}.",
			"Acceptar la invitació", "Si no l’esperaves, ignora aquest correu.",
		},
		Reauthentication: {
			"Confirma que ets tu", "Algú que ha entrat al teu compte {{.Email}} vol canviar una cosa important.",
			"", "Si no has estat tu, canvia la teva contrasenya. No comparteixis mai el codi.",
		},
		AccountLocked: {
			"El teu compte s’ha bloquejat", "Algú ha provat contrasenyes incorrectes per al teu compte {{.Email}}, i per això està bloquejat una estona per als dispositius que no coneix. Aquest enllaç et deixa entrar i el desbloqueja.",
			"Entrar i desbloquejar", "Si no has estat tu, no cal fer res més: ningú no ha endevinat la teva contrasenya.",
		},
		PasswordChanged:  {"La teva contrasenya ha canviat", "S’acaba de canviar la contrasenya del teu compte {{.Email}}.", "", noticeNoteCatalan},
		EmailChanged:     {"El teu correu ha canviat", "El correu del teu compte ara és {{.Email}}. Abans era {{.OldEmail}}.", "", noticeNoteCatalan},
		PhoneChanged:     {"El teu número de telèfon ha canviat", "El número de telèfon del teu compte {{.Email}} ara és +{{.Phone}}.", "", noticeNoteCatalan},
		IdentityLinked:   {"S’ha afegit una manera d’entrar", "Ara es pot entrar al teu compte {{.Email}} amb {{.Provider}}.", "", noticeNoteCatalan},
		IdentityUnlinked: {"S’ha tret una manera d’entrar", "Ja no es pot entrar al teu compte {{.Email}} amb {{.Provider}}.", "", noticeNoteCatalan},
		FactorEnrolled:   {"S’ha afegit un segon pas per entrar", "S’ha afegit un segon pas ({{.Factor}}) al teu compte {{.Email}}.", "", noticeNoteCatalan},
		FactorUnenrolled: {"S’ha tret un segon pas per entrar", "S’ha tret un segon pas ({{.Factor}}) del teu compte {{.Email}}.", "", noticeNoteCatalan},
	},
}
