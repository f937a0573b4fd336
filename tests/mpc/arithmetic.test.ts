import { noble } from '../../domain/mpc/dkls/noble.ts'
import { arithmeticSuite } from './arithmeticSuite.ts'
import { kernel } from './kernel.ts'

arithmeticSuite('noble', noble)
arithmeticSuite('the kernel', kernel)
