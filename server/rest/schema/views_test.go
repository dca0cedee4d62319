package schema

import "testing"

// FuzzViewColumns checks that parsing any node tree terminates.
func FuzzViewColumns(f *testing.F) {
	f.Add(`({QUERY :commandType 1 :rtable ({RTE :alias <> :eref {ALIAS :aliasname a\ b :colnames ("x" "y")}}) :targetList ({TARGETENTRY :expr {VAR :varno 1} :resno 1 :resname id :ressortgroupref 0 :resorigtbl 16400 :resorigcol 1 :resjunk false} {TARGETENTRY :expr {CONST :constvalue 4 [ 1 0 0 0 ]} :resno 2 :resname na\ me :resorigtbl 0 :resorigcol 0 :resjunk false}) :override 0})`)
	f.Add(`({QUERY`)
	f.Add(`({QUERY :targetList ({TARGETENTRY :resname \`)
	f.Fuzz(func(t *testing.T, tree string) {
		for _, column := range ViewColumns(tree) {
			_ = column
		}
	})
}

func TestViewColumns(t *testing.T) {
	t.Parallel()
	const tree = `({QUERY :commandType 1 :subselect {QUERY :targetList ({TARGETENTRY :resname inner :resorigtbl 9 :resorigcol 9 :resjunk false})} :targetList ({TARGETENTRY :expr {VAR :varno 1 :location 7} :resno 1 :resname id :ressortgroupref 0 :resorigtbl 16400 :resorigcol 3 :resjunk false} {TARGETENTRY :expr {CONST :constvalue 4 [ 1 0 0 0 ]} :resno 2 :resname na\ me\} :resorigtbl 0 :resorigcol 0 :resjunk false} {TARGETENTRY :resno 3 :resname sorted :resorigtbl 1 :resorigcol 1 :resjunk true}) :override 0})`
	want := []ViewColumn{{16400, 3}, {0, 0}}
	got := ViewColumns(tree)
	if len(got) != len(want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("column %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}
