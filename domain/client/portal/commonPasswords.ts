/** The passwords of at least eight characters that are tried first, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 12345678910 123123123 11111111 111111111 1111111111 00000000 0000000000 22222222
  55555555 66666666 77777777 88888888 99999999 87654321 987654321 9876543210 0123456789 12341234 11223344 1122334455
  12121212 12344321 123321123 147258369 159753456 123454321 147852369 741852963 789456123 password password1 password12
  password123 password1234 passw0rd p@ssword p@ssw0rd pa$$word pa$$w0rd password! password1! passwort kennwort
  mot2passe motdepasse contraseña qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 1qaz2wsx
  1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 qazwsxedc qwer1234 asdfghjk asdfghjkl asdf1234 zxcvbnm123
  abcd1234 abc12345 abc123456 a1b2c3d4 a1234567 a12345678 a123456789 aa123456 aa12345678 aaaaaaaa abcdefgh abcdefghi
  iloveyou iloveyou1 iloveyou2 iloveyou! ilovegod iloveme1 sunshine sunshine1 princess princess1 football football1
  baseball baseball1 basketball superman superman1 spiderman batman123 starwars pokemon1 pokemon123 minecraft
  trustno1 whatever whatever1 computer computer1 internet internet1 samsung1 samsung123 google123 facebook facebook1
  linkedin letmein1 letmein123 letmein! welcome1 welcome12 welcome123 welcome1! changeme changeme1 changeme123
  admin123 admin1234 admin12345 administrator root1234 rootroot test1234 testtest test12345 guest123 user1234 master12
  master123 default1 secret123 secret12 demo1234 temp1234 michelle jennifer jessica1 charlie1 michael1 jordan23 danielle
  elizabeth alexander victoria samantha benjamin christian jonathan nicholas liverpool chelsea1 arsenal1 barcelona
  manchester juventus cheyenne corvette mercedes maverick mountain midnight dolphins butterfly blink182 chocolate
  strawberry cheesecake babygirl babygirl1 sweetheart lovelove loveyou1 december november september february shadow123
  dragon123 monkey123 killer123 hunter123 freedom1 security wordpass drowssap monkey12 qwertzuiop qwertz123 azertyuiop
  azerty123 bitcoin1 ethereum ethereum1 cryptocurrency hodlhodl satoshi1
  satoshinakamoto correcthorsebatterystaple`.split(/\s+/),
)
