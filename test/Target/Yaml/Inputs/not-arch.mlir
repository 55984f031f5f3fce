tr.bp.model @m input [8, 8, 3] classes 10 { tr.bp.act <relu> }
