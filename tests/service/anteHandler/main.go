// Takes transactions as the ante handler of the Cosmos SDK does: it decodes them, sets the key of each signer, and verifies
// each signature over the bytes that the SDK itself makes. It reads a JSON array of checks from standard input, and writes an array
// with an empty text for each that is taken, and the SDK's error for each that is not.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"cosmossdk.io/core/address"
	"cosmossdk.io/log"
	txsigning "cosmossdk.io/x/tx/signing"
	cmtproto "github.com/cometbft/cometbft/proto/tendermint/types"
	"github.com/cosmos/cosmos-sdk/codec"
	addresscodec "github.com/cosmos/cosmos-sdk/codec/address"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/std"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/tx/signing"
	"github.com/cosmos/cosmos-sdk/x/auth/ante"
	authtx "github.com/cosmos/cosmos-sdk/x/auth/tx"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
	"github.com/cosmos/gogoproto/proto"
)

// check is a transaction and the account and chain that it is for.
type check struct {
	// Tx is a TxRaw, in base64.
	Tx            []byte `json:"tx"`
	ChainID       string `json:"chainId"`
	AccountNumber uint64 `json:"accountNumber"`
	Sequence      uint64 `json:"sequence"`
}

const prefix = "cosmos"

// accounts has one account for every address, without a key until the transaction sets it.
type accounts struct {
	check
	codec address.Codec
	known map[string]sdk.AccountI
}

func (a accounts) GetParams(context.Context) authtypes.Params { return authtypes.DefaultParams() }

func (a accounts) GetAccount(_ context.Context, of sdk.AccAddress) sdk.AccountI {
	if account, found := a.known[string(of)]; found {
		return account
	}
	return authtypes.NewBaseAccount(of, nil, a.AccountNumber, a.Sequence)
}

func (a accounts) SetAccount(_ context.Context, account sdk.AccountI) {
	a.known[string(account.GetAddress())] = account
}

func (a accounts) GetModuleAddress(string) sdk.AccAddress { return nil }

func (a accounts) AddressCodec() address.Codec { return a.codec }

func (a accounts) UnorderedTransactionsEnabled() bool { return false }

func (a accounts) RemoveExpiredUnorderedNonces(sdk.Context) error { return nil }

func (a accounts) TryAddUnorderedNonce(sdk.Context, []byte, time.Time) error { return nil }

func main() {
	var checks []check
	if err := json.NewDecoder(os.Stdin).Decode(&checks); err != nil {
		fail(err)
	}
	addresses := addresscodec.NewBech32Codec(prefix)
	registry, err := codectypes.NewInterfaceRegistryWithOptions(codectypes.InterfaceRegistryOptions{
		ProtoFiles: proto.HybridResolver,
		SigningOptions: txsigning.Options{
			AddressCodec:          addresses,
			ValidatorAddressCodec: addresscodec.NewBech32Codec(prefix + "valoper"),
		},
	})
	if err != nil {
		fail(err)
	}
	std.RegisterInterfaces(registry)
	banktypes.RegisterInterfaces(registry)
	modes := []signing.SignMode{signing.SignMode_SIGN_MODE_DIRECT, signing.SignMode_SIGN_MODE_LEGACY_AMINO_JSON}
	config := authtx.NewTxConfig(codec.NewProtoCodec(registry), modes)

	verdicts := make([]string, len(checks))
	for index, one := range checks {
		keeper := accounts{check: one, codec: addresses, known: map[string]sdk.AccountI{}}
		handler := sdk.ChainAnteDecorators(
			ante.NewSetPubKeyDecorator(keeper),
			ante.NewValidateSigCountDecorator(keeper),
			ante.NewSigVerificationDecorator(keeper, config.SignModeHandler()),
		)
		// The account number of the first block is 0, whatever it is.
		header := cmtproto.Header{ChainID: one.ChainID, Height: 2}
		ctx := sdk.NewContext(nil, header, false, log.NewNopLogger())
		tx, err := config.TxDecoder()(one.Tx)
		if err == nil {
			_, err = handler(ctx, tx, false)
		}
		if err != nil {
			verdicts[index] = err.Error()
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
