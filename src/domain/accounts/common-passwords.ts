/**
 * What people type when they are asked for six characters: the passwords that head every published list of leaked ones,
 * and the words of this shop. Lower case; shorter ones are refused by their length.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  [
    '123456 1234567 12345678 123456789 1234567890 0123456789 12345678910 123123 123123123 123321 1234qwer 123qwe',
    '123abc 123654 123456a 123456q 12345a 12341234 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 111111 1111111',
    '11111111 1111111111 112233 11223344 121212 131313 147258 147258369 159357 159753 222222 232323 252525 333333',
    '444444 456789 520520 555555 654321 666666 696969 777777 7777777 789456 789456123 87654321 888888 88888888 987654',
    '987654321 9876543210 999999 999999999 000000 00000000 010203 101010 password password1 password12 password123',
    'password1234 password! passw0rd p@ssw0rd p@ssword passwort password2 pass123 pass1234 passpass mypassword',
    'newpassword changeme changeme123 letmein letmein1 welcome welcome1 welcome123 login123 admin123 admin1',
    'administrator adminadmin root123 rootroot secret secret1 secret123 default guest123 test123 test1234 testtest',
    'testing tester demo123 hello123 hellohello master master123 access access123 trustno1 qwerty qwerty1 qwerty12',
    'qwerty123 qwertyuiop qwerty1234 qwer1234 qwertz qwertzuiop qweasd qweasdzxc qweqwe qwe123 asdfgh asdfghjkl',
    'asdf1234 asdasd asd123 asdfasdf zxcvbn zxcvbnm zxcvbnm123 zxczxc azerty azertyuiop abc123 abcd1234 abcdef',
    'abcdefg abcdefgh abc12345 abcabc a1b2c3 a123456 a12345678 aa123456 aaaaaa aaaaaaaa q1w2e3 q1w2e3r4 q1w2e3r4t5',
    'iloveyou iloveyou1 iloveu loveme lovely love123 forever sunshine princess princess1 football football1 baseball',
    'basketball soccer hockey superman batman spiderman pokemon starwars dragon dragon1 monkey monkey1 shadow tigger',
    'jordan jordan23 michael michael1 michelle jessica jennifer jasmine ashley daniel andrew charlie charlie1 thomas',
    'robert joshua matthew hunter hunter2 harley ranger buster killer george maggie pepper ginger cookie banana',
    'cheese chocolate butterfly flower summer summer123 winter winter123 spring autumn freedom whatever computer',
    'internet samsung google google123 liverpool chelsea arsenal barcelona mustang ferrari mercedes porsche corvette',
    'yankees cowboys eagles steelers lakers london berlin canada america family friends friend angel1 angels babygirl',
    'purple orange silver golden diamond qazwsx qazwsxedc zaq12wsx zaq1zaq1 nothing matrix phoenix thunder blink182',
    'slipknot metallica nirvana fuckyou asshole bitch1 biteme naruto minecraft roblox fortnite puppy1 puppies doggie',
    'doggy123 kitty123 kitten mydog123 rudyrudy rudy123 sherlock sherlock1 pawtelier pawtelier1 bullion rudy',
    'owner shop store admin login user pass word',
  ].flatMap((line) => line.split(' ')),
)
