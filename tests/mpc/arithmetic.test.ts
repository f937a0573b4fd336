import { noble } from '../../domain/mpc/dkls/noble.ts'
import { arithmeticSuite } from './arithmeticSuite.ts'

arithmeticSuite('noble', noble)
