#include "textflag.h"
#include "go_asm.h"

// The positive part of a lane is what is left of it when the offset is taken
// off, but not below 0.
#define POSITIVE(v) VPSUBUSW Y15, v, v

#define UNITS(at, v) \
	VMOVDQU at(AX), v     \
	VPADDQ  at(BX), v, v  \
	VPADDQ  at(CX), v, v  \
	POSITIVE(v)

#define ROW(i, half, v) \
	MOVBLZX i(R9), DX              \
	VMOVDQU (64*i+half)(SI), v     \
	VPADDQ  half(R8)(DX*1), v, v   \
	POSITIVE(v)

// The units of a half of all rows, weighted by those from at on for a win and
// at+128 for a loss.
#define ROWS(half, at, win, loss) \
	ROW(0, half, Y0)               \
	ROW(1, half, Y1)               \
	ROW(2, half, Y2)               \
	ROW(3, half, Y3)               \
	ROW(4, half, Y4)               \
	ROW(5, half, Y5)               \
	ROW(6, half, Y6)               \
	ROW(7, half, Y7)               \
	VPADDW       Y1, Y0, Y0        \
	VPADDW       Y3, Y2, Y2        \
	VPADDW       Y5, Y4, Y4        \
	VPADDW       Y7, Y6, Y6        \
	VPADDW       Y2, Y0, Y0        \
	VPADDW       Y6, Y4, Y4        \
	VPADDW       Y4, Y0, Y0        \
	VPMOVZXWD    X0, Y1            \
	VEXTRACTI128 $1, Y0, X0        \
	VPMOVZXWD    X0, Y0            \
	VPMULLD      at(R10), Y1, win  \
	VPMULLD      (at+32)(R10), Y0, Y3 \
	VPADDD       Y3, win, win      \
	VPMULLD      (at+128)(R10), Y1, loss \
	VPMULLD      (at+160)(R10), Y0, Y5 \
	VPADDD       Y5, loss, loss

#define CHANGES(half) \
	VMOVDQU half(R12), Y1          \
	VPSUBQ  half(R13), Y1, Y1      \
	VMOVDQU half(R14), Y2          \
	VPADDQ  Y1, Y2, Y3             \
	VMOVDQU Y0, half(R8)           \
	VMOVDQU Y1, (64+half)(R8)      \
	VMOVDQU Y2, (128+half)(R8)     \
	VMOVDQU Y3, (192+half)(R8)

// func weighLanesAVX2(p *laneParts, w *laneWeights, odds *[4]int32)
TEXT ·weighLanesAVX2(SB), NOSPLIT, $256-24
	MOVQ p+0(FP), R11
	MOVQ w+8(FP), R10
	MOVQ odds+16(FP), DI
	MOVQ laneParts_units(R11), AX
	MOVQ laneParts_units+8(R11), BX
	MOVQ laneParts_units+16(R11), CX
	MOVQ laneParts_rows(R11), SI
	MOVQ laneParts_which(R11), R9

	// the changes of rows: 0, of the board that was played on, of the next, of both
	MOVQ    laneParts_is(R11), R12
	MOVQ    laneParts_was(R11), R13
	MOVQ    laneParts_on(R11), R14
	MOVQ    SP, R8
	VPXOR   Y0, Y0, Y0
	CHANGES(0)
	CHANGES(32)

	// 1<<15 in every lane
	VPCMPEQW Y15, Y15, Y15
	VPSLLW   $15, Y15, Y15

	// the activity of the units in all ways, as numbers of 32 bits
	UNITS(0, Y0)
	UNITS(32, Y1)
	UNITS(64, Y2)
	UNITS(96, Y3)
	VPADDW       Y1, Y0, Y0
	VPADDW       Y3, Y2, Y2
	VPADDW       Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDW       X1, X0, X0
	VPMOVZXWD    X0, Y0
	VPMULLD      (R10), Y0, Y12
	VPMULLD      32(R10), Y0, Y13

	// that of the units of all rows
	ROWS(0, 64, Y8, Y9)
	ROWS(32, 128, Y10, Y11)
	VPADDD Y10, Y8, Y8
	VPADDD Y11, Y9, Y9

	// the four sums
	VPHADDD      Y13, Y12, Y12
	VPHADDD      Y9, Y8, Y8
	VPHADDD      Y8, Y12, Y12
	VEXTRACTI128 $1, Y12, X0
	VPADDD       X12, X0, X0
	VMOVDQU      X0, (DI)
	VZEROUPPER
	RET

#define ADDUNITS(i) \
	MOVQ   (boardSums_units+8*i)(R8), AX \
	VPADDQ (AX), Y0, Y0      \
	VPADDQ 32(AX), Y1, Y1    \
	VPADDQ 64(AX), Y2, Y2    \
	VPADDQ 96(AX), Y3, Y3

#define ADDROW(i, half, a, b, c) \
	VPADDQ  (64*i+half)(SI), a, Y14 \
	VPADDQ  b, Y14, Y14      \
	VPADDQ  c, Y14, Y14      \
	VMOVDQU Y14, (64*i+half)(SI)

#define BRINGS(i, half, v) \
	MOVQ    (boardSums_rows+8*i)(R8), AX \
	VMOVDQU half(AX), v

#define ADDROWS(half) \
	BRINGS(0, half, Y0)      \
	BRINGS(1, half, Y1)      \
	BRINGS(2, half, Y2)      \
	BRINGS(3, half, Y3)      \
	BRINGS(4, half, Y4)      \
	BRINGS(5, half, Y5)      \
	BRINGS(6, half, Y6)      \
	BRINGS(7, half, Y7)      \
	BRINGS(8, half, Y8)      \
	ADDROW(0, half, Y0, Y1, Y2) \
	ADDROW(1, half, Y3, Y4, Y5) \
	ADDROW(2, half, Y6, Y7, Y8) \
	ADDROW(3, half, Y0, Y3, Y6) \
	ADDROW(4, half, Y1, Y4, Y7) \
	ADDROW(5, half, Y2, Y5, Y8) \
	ADDROW(6, half, Y0, Y4, Y8) \
	ADDROW(7, half, Y2, Y4, Y6)

// func addBoardsAVX2(s *boardSums, units *lanes, rows *bigRows)
TEXT ·addBoardsAVX2(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), R8
	MOVQ units+8(FP), DI
	MOVQ rows+16(FP), SI

	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	VMOVDQU 64(DI), Y2
	VMOVDQU 96(DI), Y3
	ADDUNITS(0)
	ADDUNITS(1)
	ADDUNITS(2)
	ADDUNITS(3)
	ADDUNITS(4)
	ADDUNITS(5)
	ADDUNITS(6)
	ADDUNITS(7)
	ADDUNITS(8)
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)

	ADDROWS(0)
	ADDROWS(32)
	VZEROUPPER
	RET
